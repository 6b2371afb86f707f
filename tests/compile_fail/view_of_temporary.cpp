// says: deleted .*view_of
int main() { (void)bloomery::any_filter::view_of(bloomery::filter(seen)); }
