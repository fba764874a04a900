"use strict";
// Let every table be sorted by a click on a heading: numbers by their value, the rest as text.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  if (body.rows.length < 2) continue;
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const numbers = body.querySelector(`tr > :nth-child(${column + 1})[data-order]`) !== null;
      const was = heading.getAttribute("aria-sort");
      const down = was ? was === "ascending" : numbers;
      const key = (row) => {
        const cell = row.cells[column];
        return numbers ? Number(cell.dataset.order ?? NaN) : cell.textContent.trim();
      };
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        if (!numbers) return x.localeCompare(y) * (down ? -1 : 1);
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return (x - y) * (down ? -1 : 1);
      };
      body.append(...[...body.rows].sort(order));
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    });
  });
}
