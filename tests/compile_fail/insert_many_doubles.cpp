// says: are_keys_else_use_by_bits_or_bloomery_feed
// lines: 28
int main() { seen.insert_many(std::vector<double>{1.5}); }
