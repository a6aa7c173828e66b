/** Terminal text that is wider than its page scrolls; a reader without a mouse must reach it by keyboard. */
export function focusablePre() {
  return {
    name: 'focusable-pre',
    element: {
      filter: ['pre'],
      visit(node, context) {
        context.setProperty(node, 'tabIndex', 0);
      },
    },
  };
}
