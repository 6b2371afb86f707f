# Random keys, one a line. -v kind=hex|line|text|whole|int|long -v count=N -v seed=S
#
#   hex   any bytes, as hexadecimal digits
#   line  any bytes but newline and carriage return
#   text  UTF-8 of all planes, in which a surrogate may stand alone
#   whole the same without surrogates: what every program takes for UTF-8
#   int   a signed integer of 32 bits
#   long  a signed integer of 64 bits

function below(n) { return int(rand() * n) }

function length_of_key() { return rand() < 0.1 ? below(300) : below(24) }

function byte() { return rand() < 0.2 ? 255 * below(2) : below(256) }

function hex(    i, n, text) {
  n = length_of_key()
  for (i = 0; i < n; ++i) text = text sprintf("%02x", byte())
  return text
}

function line(    i, n, c, text) {
  n = length_of_key()
  for (i = 0; i < n; ++i) {
    do c = 1 + below(255); while (c == 10 || c == 13)
    text = text sprintf("%c", c)
  }
  return text
}

# The code points with one to four bytes are equally likely.
function code_point() {
  if (kind == "text" && rand() < 0.02) return 55296 + below(2048)
  if (rand() < 0.25) return 32 + below(95)
  if (rand() < 0.33) return 128 + below(1920)
  return rand() < 0.5 ? 2048 + below(53248) : 65536 + below(1048576) # below the surrogates
}

function utf8(c) {
  if (c < 128) return sprintf("%c", c)
  if (c < 2048) return sprintf("%c%c", 192 + int(c / 64), 128 + c % 64)
  if (c < 65536) return sprintf("%c%c%c", 224 + int(c / 4096), 128 + int(c / 64) % 64, 128 + c % 64)
  return sprintf("%c%c%c%c", 240 + int(c / 262144), 128 + int(c / 4096) % 64, 128 + int(c / 64) % 64, 128 + c % 64)
}

function text(    i, n, all) {
  n = length_of_key()
  for (i = 0; i < n; ++i) all = all utf8(code_point())
  return all
}

# awk counts in doubles: digits, not numbers.
function digits(most,    i, n, all) {
  n = 1 + below(most)
  all = 1 + below(9)
  for (i = 1; i < n; ++i) all = all below(10)
  return (rand() < 0.5 ? "-" : "") all
}

function key() {
  if (kind == "hex") return hex()
  if (kind == "line") return line()
  if (kind == "text" || kind == "whole") return text()
  return digits(kind == "int" ? 9 : 18)
}

# Each of these is there or not.
function special(    all, i, n) {
  if (kind == "hex") n = split(",00,ff,0000,80,7f80ff", all, ",")
  if (kind == "line" || kind == "text" || kind == "whole") n = split(", ,a,-,--", all, ",")
  if (kind == "int") n = split("0,-1,2147483647,-2147483648", all, ",")
  if (kind == "long") n = split("0,-1,9223372036854775807,-9223372036854775808,4294967296", all, ",")
  for (i = 1; i <= n && i <= count; ++i)
    if (rand() < 0.5) {
      print all[i]
      --count
    }
}

BEGIN {
  srand(seed)
  rand() # some generators begin alike for seeds that are neighbours
  special()
  for (; count > 0; --count) print key()
}
