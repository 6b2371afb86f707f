// says: is_key_else_use_by_bits_or_bloomery_feed.*wchar_t
int main() { seen.insert(L"wide"); }
