/** Terminal text and tables that are wider than their page scroll; a reader without a mouse must reach it by keyboard. */
export function focusablePre() {
  return {
    name: 'focusable-pre',
    element: {
      filter: ['pre', 'table'],
      visit(node, context) {
        context.setProperty(node, 'tabIndex', 0);
      },
    },
  };
}
