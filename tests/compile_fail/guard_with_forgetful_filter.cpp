// says: guard_filter
// lines: 65
extern bloomery::guard<bloomery::window_filter, bloomery::store::no_cache, bloomery::store::memory>
    shop;
