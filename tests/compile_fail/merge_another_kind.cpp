// says: counting_filter
int main() {
    bloomery::counting_filter other(bloomery::items{100}, bloomery::rate{0.01});
    seen.merge(other);
}
