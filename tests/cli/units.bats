# One system of units in what the command prints: KiB, MiB, GiB.
load helper

decimal='[0-9] ?(kB|KB|MB|GB|TB|PB)\b|takes [0-9.]+ bytes'

# In text nothing is in powers of 1000, which half of our readers take for powers of 1024.
binary() { # binary FILE
  if grep -nE "$decimal" "$1"; then return 1; fi
  grep -qE '[0-9] ?([KMGT]iB|B)\b' "$1" || { echo "no size in $1"; cat "$1"; return 1; }
}

@test "every verb that names a size names it in powers of 1024" {
  bloomery plan -n 10M >plan.txt
  bloomery plan -n 100M --redis >plan_redis.txt
  bloomery plan -n 1M -p 1% --bytes 1MB --steps >plan_steps.txt
  bloomery plan -n 1M --plot >plan_plot.txt
  for kind in counting dynamic-count dleft accurate scalable window; do
    bloomery plan --kind $kind -n 1M >plan_$kind.txt
  done
  bloomery advise -n 10M >advise.txt
  bloomery advise -n 100M --integers-below 100M --cache 1MB >advise_bitmap.txt
  bloomery advise --at-least 1k --at-most 10M >advise_bounds.txt
  bloomery advise -n 1M --count >advise_counts.txt
  bloomery advise --window 1k >advise_window.txt
  bloomery create -n 1M f.bloom
  bloomery info f.bloom >info.txt
  bloomery create --kind window -n 10k w.bloom
  bloomery info --plot w.bloom >info_window.txt
  bloomery doctor >doctor.txt
  bloomery bench --quick -n 1000 --rounds 1 >bench.txt
  for file in *.txt; do binary "$file"; done
}

@test "no other verb has powers of 1000 in what it prints" {
  bloomery create -n 1000 f.bloom
  {
    seq 5000 | bloomery add f.bloom || true # overfilled
    seq 5 | bloomery uniq
    bloomery test f.bloom 1 2
    bloomery verify f.bloom
    bloomery merge f.bloom f.bloom -o g.bloom
    bloomery intersect f.bloom g.bloom -o h.bloom
    bloomery create --format guava -n 1000 f.guava
    bloomery convert --to native f.guava n.bloom
    bloomery formats
    bloomery create -n 1M -b 10MB -p 1e-9 t.bloom || true
    bloomery create -n 1M -b 64 t.bloom || true
    bloomery create -n 1e18 t.bloom || true
  } >out 2>&1
  [ -s out ]
  if grep -nE "$decimal" out; then false; fi
}

@test "sizes may be given in powers of 1000 too" {
  [ "$(bloomery plan -n 1M --bytes 1MB --json | sed -n 's/^  "bytes": \(.*\),/\1/p')" -le 1000000 ]
  [ "$(bloomery plan -n 1M --bytes 1MiB --json | sed -n 's/^  "bytes": \(.*\),/\1/p')" = 1048576 ]
}
