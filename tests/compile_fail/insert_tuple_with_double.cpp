// says: is_key_else_use_by_bits_or_bloomery_feed.*tuple<int, double>
int main() { seen.insert(std::tuple(1, 2.5)); }
