// says: no member named 'erase'
int main() { seen.erase("key"); }
