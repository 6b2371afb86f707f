// Where each cell is drawn. Cells are as large as the width and a sensible height allow, in rows of a power of two.

const LARGEST = 52;
const FRAME = 10; // around a cache line
const CAPTION = 18; // above it
const BETWEEN = 12;

const COLUMNS = [8, 16, 32, 64, 128, 256, 512];

/** Tens of thousands of bits: the largest cells that fit, in rows of any length. */
function fitDense(groups, width, mostHeight) {
  const inner = width - 2 * FRAME;
  for (const cell of [4, 3, 2.5, 2, 1.5, 1]) {
    const columns = Math.floor(inner / cell);
    const height = heightOf(groups, columns, cell, 1, true);
    if (height <= mostHeight || cell === 1) return { columns, cell, perRow: 1, height, over: 0 };
  }
  return null;
}

function fit(groups, width, mostHeight, framed) {
  if (groups.reduce((sum, one) => sum + one.count, 0) > 4200) return fitDense(groups, width, mostHeight);
  const extra = framed ? 2 * FRAME : 0;
  let best = null;
  for (const perRow of framed ? [1, 2, 4] : [1]) {
    if (perRow > groups.length) continue;
    for (const columns of columnsFor(groups[0])) {
      const free = (width - (perRow - 1) * BETWEEN) / perRow - extra;
      const cell = Math.min(LARGEST, Math.floor((free / columns) * 2) / 2);
      if (cell < 1.5) continue;
      const height = heightOf(groups, columns, cell, perRow, framed);
      const over = Math.max(0, height - mostHeight);
      const better =
        !best ||
        (over === 0 && best.over > 0) ||
        (over === best.over && cell > best.cell) ||
        (over > 0 && over < best.over) ||
        (over === 0 && best.over === 0 && cell === best.cell && height < best.height);
      if (better) best = { columns, cell, perRow, height, over };
    }
  }
  return best ?? { columns: 256, cell: 1.5, perRow: 1, height: heightOf(groups, 256, 1.5, 1, framed), over: 0 };
}

/** Lanes are rows: a split block keeps its own row. */
function columnsFor(group) {
  if (group.lanes) return [group.row];
  const most = Math.max(8, group.count);
  return COLUMNS.filter((columns) => columns <= most);
}

function heightOf(groups, columns, cell, perRow, framed) {
  let height = 0;
  for (let i = 0; i < groups.length; i += perRow) {
    const rows = Math.max(...groups.slice(i, i + perRow).map((one) => Math.ceil(one.count / columns)));
    height += rows * cell + (framed ? 2 * FRAME + CAPTION : 0) + (i > 0 ? BETWEEN : 0);
  }
  return height;
}

/** @returns cell size, height, frames (x, y, width, height per group) and at(place) → {x, y} of its corner */
export function arrange(groups, width, mostHeight, framed) {
  const { columns, cell, perRow } = fit(groups, width, mostHeight, framed);
  const inner = columns * cell;
  const outer = inner + (framed ? 2 * FRAME : 0);
  const rowWidth = perRow * outer + (perRow - 1) * BETWEEN;
  const left = Math.max(0, Math.floor((width - rowWidth) / 2));
  const frames = [];
  let y = 0;
  for (let i = 0; i < groups.length; i += perRow) {
    const rowGroups = groups.slice(i, i + perRow);
    const rows = Math.max(...rowGroups.map((one) => Math.ceil(one.count / columns)));
    rowGroups.forEach((group, column) => {
      const x = left + column * (outer + BETWEEN);
      const top = y + (framed ? CAPTION : 0);
      frames.push({
        x,
        y: top,
        width: outer,
        height: rows * cell + (framed ? 2 * FRAME : 0),
        group,
        cellsX: x + (framed ? FRAME : 0),
        cellsY: top + (framed ? FRAME : 0),
      });
    });
    y += rows * cell + (framed ? 2 * FRAME + CAPTION : 0) + BETWEEN;
  }
  const frameOf = (place) => {
    let low = 0;
    for (let i = 1; i < groups.length; i += 1) if (groups[i].start <= place) low = i;
    return frames[low];
  };
  return {
    cell,
    columns,
    height: Math.ceil(y - BETWEEN),
    frames,
    framed,
    at(place) {
      const frame = frameOf(place);
      const inside = place - frame.group.start;
      return { x: frame.cellsX + (inside % columns) * cell, y: frame.cellsY + Math.floor(inside / columns) * cell };
    },
    /** The place at a point, or null. */
    placeAt(x, y2) {
      for (const frame of frames) {
        const column = Math.floor((x - frame.cellsX) / cell);
        const row = Math.floor((y2 - frame.cellsY) / cell);
        const inside = row * columns + column;
        if (column >= 0 && column < columns && row >= 0 && inside < frame.group.count)
          return frame.group.start + inside;
      }
      return null;
    },
  };
}

/** The same array in cache lines of 64 bytes: for layouts whose keys do not keep to a line. */
export function inLines(groups, perLine) {
  return groups.flatMap((group) => {
    const lines = [];
    for (let start = 0; start < group.count; start += perLine) {
      lines.push({ start: group.start + start, count: Math.min(perLine, group.count - start), row: 0 });
    }
    return lines;
  });
}
