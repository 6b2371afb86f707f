// says: satisfaction of .source<Source>|does not satisfy 'source'
// lines: 40
extern bloomery::guard<bloomery::filter, bloomery::store::no_cache, std::vector<int>> shop;
