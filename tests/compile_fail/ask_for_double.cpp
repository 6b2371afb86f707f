// says: is_key_else_use_by_bits_or_bloomery_feed
int main() { return seen.may_contain(3.14); }
