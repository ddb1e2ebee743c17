// Pairs of numbers and their order: by the first number, then by the second.
//
// Candidates of a search (cost, order) and items of a sort (key, value) are such pairs.

/** No pair comes after it: stands for "no candidate", and for places behind the last item. */
const NOTHING = vec2u(0xffffffffu, 0xffffffffu);

/** Whether pair `a` comes before pair `b`. */
fn precedes(a: vec2u, b: vec2u) -> bool {
  return a.x < b.x || (a.x == b.x && a.y < b.y);
}
