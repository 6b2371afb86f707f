// says: is_key_else_use_by_bits_or_bloomery_feed
int main() { seen.insert(3.14); }
