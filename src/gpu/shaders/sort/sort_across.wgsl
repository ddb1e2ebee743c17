// Steps of the bitonic network between tiles: up to three of a stage, on eight items of a thread, see sort_steps.wgsl.

@compute @workgroup_size(THREADS)
fn sort_across(@builtin(global_invocation_id) id: vec3u) {
  let isFirst = parameters.isFirst == 1u;
  let places = places_of(id.x, parameters.shift, parameters.steps, isFirst);
  var items = array<vec2u, 8>(
    load_item(place_of(places, 0u)),
    load_item(place_of(places, 1u)),
    load_item(place_of(places, 2u)),
    load_item(place_of(places, 3u)),
    load_item(place_of(places, 4u)),
    load_item(place_of(places, 5u)),
    load_item(place_of(places, 6u)),
    load_item(place_of(places, 7u)),
  );
  run_steps(&items, parameters.steps, isFirst);
  store_item(place_of(places, 0u), items[0]);
  store_item(place_of(places, 1u), items[1]);
  store_item(place_of(places, 2u), items[2]);
  store_item(place_of(places, 3u), items[3]);
  store_item(place_of(places, 4u), items[4]);
  store_item(place_of(places, 5u), items[5]);
  store_item(place_of(places, 6u), items[6]);
  store_item(place_of(places, 7u), items[7]);
}
