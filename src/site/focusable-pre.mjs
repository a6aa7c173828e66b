/**
 * Terminal text and tables that are wider than their page scroll; a reader without a mouse must reach it by keyboard.
 * Every cell of a table carries the name of its column: on a phone the rows stand one under the other.
 */
export function focusablePre() {
  return {
    name: 'focusable-pre',
    element: {
      filter: ['pre', 'table'],
      visit(node, context) {
        context.setProperty(node, 'tabIndex', 0);
        if (node.tagName === 'table') nameCells(node, context);
      },
    },
  };
}

function nameCells(table, context) {
  const rows = inside(table, 'tr');
  const columns = inside(rows[0], 'th').map(textOf);
  for (const row of rows.slice(1)) {
    inside(row, 'td').forEach((cell, i) => {
      if (columns[i] !== undefined && columns[i] !== '') context.setProperty(cell, 'data-column', columns[i]);
    });
  }
}

function inside(node, tagName) {
  return (node?.children ?? []).flatMap((child) => (child.tagName === tagName ? [child] : inside(child, tagName)));
}

function textOf(node) {
  return node.type === 'text' ? node.value : (node.children ?? []).map(textOf).join('');
}
