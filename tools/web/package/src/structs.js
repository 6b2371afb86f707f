// The structures of bloomery.h as they lie in the memory of the module: offset and type of each field.
// A test compares them with what the C++ compiler says.
export const structs = {
  options: { size: 72, fields: {
    items: [8, "u64"], rate: [16, "f64"], bytes: [24, "u64"], bits: [32, "u64"], hashes: [40, "u32"],
    foldable: [44, "bool"], seed: [48, "u64"], secret: [56, "ptr"], layout: [60, "ptr"], kind: [64, "ptr"],
    format: [68, "ptr"] } },
  keys: { size: 96, fields: {
    form: [4, "u32"], encoding: [8, "u32"], count: [16, "u64"], data: [24, "ptr"], stride: [32, "u64"],
    width: [40, "u64"], offsets: [48, "ptr"], data_size: [56, "u64"], buffers: [64, "ptr"],
    buffer_sizes: [68, "ptr"], buffer_count: [72, "u64"], validity: [80, "ptr"], validity_offset: [88, "u64"] } },
  info: { size: 80, fields: {
    kind: [4, "text"], layout: [8, "text"], scheme: [12, "text"], hash: [16, "text"], seed: [24, "u64"],
    bit_count: [32, "u64"], hash_count: [40, "u32"], keyed: [44, "bool"], can_erase: [45, "bool"],
    can_count: [46, "bool"], hashes_ahead: [47, "bool"], item_capacity: [48, "u64"], target_rate: [56, "f64"],
    byte_count: [64, "u64"], intersected: [72, "bool"], may_lack_places: [73, "bool"], can_share: [74, "bool"] } },
  statistics: { size: 72, fields: {
    bit_count: [8, "u64"], bits_set: [16, "u64"], fill_ratio: [24, "f64"], items: [32, "f64"],
    standard_error: [40, "f64"], expected_rate: [48, "f64"], unit: [56, "u32"], unit_bits: [60, "u32"],
    saturated: [64, "bool"], intersected: [65, "bool"] } },
  plan: { size: 72, fields: {
    layout: [4, "text"], bits: [8, "u64"], bytes: [16, "u64"], hashes: [24, "u32"], meets_rate: [28, "bool"],
    items: [32, "u64"], rate: [40, "f64"], expected_rate: [48, "f64"], bits_per_item: [56, "f64"],
    item_capacity: [64, "u64"] } },
  exception_options: { size: 32, fields: {
    most_entries: [8, "u64"], evict_oldest: [16, "bool"], fingerprints: [17, "bool"], secret: [24, "ptr"] } },
  write_options: { size: 20, fields: {
    format: [4, "ptr"], comment: [8, "ptr"], keep_secret: [12, "bool"], refuse_existing: [13, "bool"] } },
  read_options: { size: 48, fields: {
    format: [4, "ptr"], secret: [8, "ptr"], refuse_unsealed: [12, "bool"], refuse_locked: [13, "bool"],
    largest_filter_bytes: [24, "u64"], most_unseen_bytes: [32, "u64"], most_hashes: [40, "u32"],
    most_layers: [44, "u32"] } },
  format: { size: 28, fields: {
    name: [4, "text"], what: [8, "text"], keys: [12, "text"], needs: [16, "text"], writable: [20, "bool"],
    makeable: [21, "bool"] } },
};
