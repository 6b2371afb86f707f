// says: is_key_else_use_by_bits_or_bloomery_feed.*unordered_set
int main() { seen.insert(std::unordered_set<int>{1}); }
