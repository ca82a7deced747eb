// Where nodes stand: topic groups found from the links, groups placed first, then nodes inside them. The same bank
// gives the same picture: seeded numbers, a fixed number of rounds, and no functions that browsers may round differently.

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Groups of densely joined vertices (local moving of modularity, repeated on the groups); labels by size, 0 biggest. */
function communities(count, edges) {
  let label = Array.from({ length: count }, (_, index) => index);
  let [size, joined] = [count, edges];
  for (let level = 0; level < 4; level++) {
    const moved = localMoves(size, joined, resolution(count));
    if (moved.size === size) break;
    label = label.map((group) => moved.label[group]);
    joined = joined.map(([a, b, weight]) => [moved.label[a], moved.label[b], weight]);
    size = moved.size;
  }
  const sizes = new Map();
  for (const group of label) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const order = [...sizes.keys()].sort((a, b) => sizes.get(b) - sizes.get(a) || a - b);
  const rank = new Map(order.map((group, index) => [group, index]));
  return label.map((group) => rank.get(group));
}

/** Below 1 the groups come out larger, as suits a crowded picture with names on it. */
const resolution = (count) => (count > 200 ? 0.5 : 1);

function localMoves(count, edges, fineness) {
  const near = Array.from({ length: count }, () => []);
  const degree = new Float64Array(count);
  let total = 0;
  for (const [a, b, weight] of edges) {
    degree[a] += weight;
    degree[b] += weight;
    total += 2 * weight;
    if (a !== b) (near[a].push([b, weight]), near[b].push([a, weight]));
  }
  const label = Array.from({ length: count }, (_, index) => index);
  const sum = Float64Array.from(degree);
  for (let round = 0, changed = true; round < 12 && changed; round++) {
    changed = false;
    for (let vertex = 0; vertex < count; vertex++) {
      const best = bestGroup(vertex, near[vertex], label, sum, degree[vertex], total, fineness);
      if (best === label[vertex]) continue;
      sum[label[vertex]] -= degree[vertex];
      sum[best] += degree[vertex];
      label[vertex] = best;
      changed = true;
    }
  }
  const names = new Map();
  for (const group of label) if (!names.has(group)) names.set(group, names.size);
  return { label: label.map((group) => names.get(group)), size: names.size };
}

function bestGroup(vertex, near, label, sum, degree, total, fineness) {
  const towards = new Map([[label[vertex], 0]]);
  for (const [other, weight] of near) towards.set(label[other], (towards.get(label[other]) ?? 0) + weight);
  let [best, bestGain] = [label[vertex], -Infinity];
  for (const [group, weight] of towards) {
    const inside = group === label[vertex] ? sum[group] - degree : sum[group];
    const gain = weight - (fineness * inside * degree) / (total || 1) + (group === label[vertex] ? 1e-9 : 0);
    if (gain > bestGain + 1e-12 || (gain > bestGain - 1e-12 && group < best)) [best, bestGain] = [group, gain];
  }
  return best;
}

/** Places group centres: joined groups close to each other, none overlapping, wider than high. */
function placeGroups(sizes, edges, random) {
  const radius = sizes.map((size) => 18.5 * Math.sqrt(size) + 14);
  const spread = Math.sqrt(radius.reduce((sum, r) => sum + r * r, 0)) || 1;
  const x = radius.map(() => (random() - 0.5) * 4 * spread);
  const y = radius.map(() => (random() - 0.5) * 2 * spread);
  const rounds = 320;
  for (let round = 0; round < rounds; round++) {
    const heat = 1 - round / rounds;
    for (let i = 0; i < x.length; i++) ((x[i] *= 1 - 0.008 * heat), (y[i] *= 1 - 0.05 * heat));
    for (const [a, b, weight] of edges) {
      const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
      const distance = Math.sqrt(dx * dx + dy * dy) || 1;
      const pull = ((distance - radius[a] - radius[b]) / distance) * 0.06 * heat * (weight / (weight + 3));
      ((x[a] += dx * pull), (y[a] += dy * pull), (x[b] -= dx * pull), (y[b] -= dy * pull));
    }
    for (let a = 0; a < x.length; a++)
      for (let b = a + 1; b < x.length; b++) pushApart(x, y, a, b, radius[a] + radius[b] + 26, 0.5);
  }
  return { x, y, radius };
}

function pushApart(x, y, a, b, wanted, strength) {
  let [dx, dy] = [x[b] - x[a], y[b] - y[a]];
  if (dx === 0 && dy === 0) [dx, dy] = [((a * 7 + b) % 5) - 2 || 1, ((a + b * 3) % 5) - 2];
  const distance = Math.sqrt(dx * dx + dy * dy);
  if (distance >= wanted) return;
  const push = ((wanted - distance) / distance) * strength * 0.5;
  ((x[a] -= dx * push), (y[a] -= dy * push), (x[b] += dx * push), (y[b] += dy * push));
}

/** The indices of the points on the convex hull, clockwise on the screen (monotone chain). */
function hull(indices, points) {
  const sorted = [...indices].sort((a, b) => points[a].x - points[b].x || points[a].y - points[b].y);
  if (sorted.length < 3) return sorted;
  const turn = (o, a, b) =>
    (points[a].x - points[o].x) * (points[b].y - points[o].y) -
    (points[a].y - points[o].y) * (points[b].x - points[o].x);
  const chain = (order) => {
    const kept = [];
    for (const index of order) {
      while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), index) <= 0) kept.pop();
      kept.push(index);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/** Joins between groups as [group, group, weight], each pair once. */
function groupEdges(edges, group) {
  const sums = new Map();
  for (const [a, b, weight] of edges) {
    const [low, high] = [Math.min(group[a], group[b]), Math.max(group[a], group[b])];
    if (low !== high) sums.set(low * 65536 + high, (sums.get(low * 65536 + high) ?? 0) + weight);
  }
  return [...sums].map(([key, weight]) => [Math.floor(key / 65536), key % 65536, weight]);
}

/** Positions for `count` vertices; a generator, so that the page stays usable while a large graph settles. */
function* settle(count, edges) {
  const random = seeded(20250131 + count);
  const group = communities(count, edges);
  const sizes = Array(Math.max(-1, ...group) + 1).fill(0);
  for (const label of group) sizes[label]++;
  const centre = placeGroups(sizes, groupEdges(edges, group), random);
  const x = Float64Array.from(group, (label) => centre.x[label] + (random() - 0.5) * 1.4 * centre.radius[label]);
  const y = Float64Array.from(group, (label) => centre.y[label] + (random() - 0.5) * 1.4 * centre.radius[label]);
  const rounds = 180;
  for (let round = 0; round < rounds; round++) {
    const heat = 1 - round / rounds;
    for (const [a, b, weight] of edges) {
      const [dx, dy] = [x[b] - x[a], y[b] - y[a]];
      const distance = Math.sqrt(dx * dx + dy * dy) || 1;
      const near = group[a] === group[b] ? 0.12 : 0.008;
      const pull = ((distance - 30) / distance) * near * heat * Math.min(1, weight);
      ((x[a] += dx * pull), (y[a] += dy * pull), (x[b] -= dx * pull), (y[b] -= dy * pull));
    }
    for (let i = 0; i < count; i++) {
      x[i] += (centre.x[group[i]] - x[i]) * 0.035 * heat;
      y[i] += (centre.y[group[i]] - y[i]) * 0.035 * heat;
    }
    spaceOut(x, y, 34, 0.35 + 0.4 * heat);
    if (round % 6 === 5) yield round / rounds;
  }
  return { x, y, group };
}

/** Keeps vertices `distance` apart; only those in neighbouring cells of a grid are compared. */
function spaceOut(x, y, distance, strength) {
  const cells = new Map();
  const cellOf = (column, row) => column * 1048576 + row;
  for (let i = 0; i < x.length; i++) {
    const key = cellOf(Math.floor(x[i] / distance), Math.floor(y[i] / distance));
    cells.has(key) ? cells.get(key).push(i) : cells.set(key, [i]);
  }
  for (let i = 0; i < x.length; i++) {
    const [column, row] = [Math.floor(x[i] / distance), Math.floor(y[i] / distance)];
    for (let dc = -1; dc <= 1; dc++)
      for (let dr = -1; dr <= 1; dr++)
        for (const j of cells.get(cellOf(column + dc, row + dr)) ?? [])
          if (j > i) pushApart(x, y, i, j, distance, strength);
  }
}
