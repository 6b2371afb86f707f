// says: floating-point numbers are keys only by explicit choice: wrap them in bloomery::by_bits
struct point {
    double x;
};
void bloomery_feed(bloomery::key_sink& sink, const point& p) { sink.put(p.x); }
int main() { seen.insert(point{1}); }
