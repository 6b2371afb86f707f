# merge and intersect.
load helper

make() { # make FILE KEY...
  bloomery create -n 100 -p 1e-9 "$1"
  printf '%s\n' "${@:2}" | bloomery add "$1"
}

@test "merge holds the keys of all" {
  make a.bloom 1 2
  make b.bloom 2 3
  make c.bloom 4
  bloomery merge a.bloom b.bloom c.bloom -o all.bloom
  make direct.bloom 1 2 3 4
  cmp <(tail -c +4097 all.bloom) <(tail -c +4097 direct.bloom) # all but the header
}

@test "intersect holds the keys of both" {
  make a.bloom 1 2
  make b.bloom 2 3
  bloomery intersect a.bloom b.bloom -o both.bloom
  bloomery test -q both.bloom 2
  run -1 bloomery test -q both.bloom 1 3
}

@test "filters of different shapes are refused, with the reason" {
  make a.bloom 1
  bloomery create -n 200 -p 1e-9 b.bloom
  refuses bloomery merge a.bloom b.bloom -o all.bloom
  says "a.bloom and b.bloom"
  says "number of bits"
  [ ! -e all.bloom ]
  bloomery create -n 100 -p 1e-9 --seed 5 c.bloom
  refuses bloomery merge a.bloom c.bloom -o all.bloom
  says "different seeds"
}

@test "merging into a filter that others add to loses nothing" {
  make a.bloom 1
  make b.bloom 2
  for i in $(seq 8); do
    echo "key $i" | bloomery add a.bloom &
    bloomery merge --force a.bloom b.bloom -o a.bloom &
  done
  wait
  for i in $(seq 8); do bloomery test -q a.bloom "key $i"; done
  bloomery test -q a.bloom 2
  echo text >file
  bloomery merge --force a.bloom b.bloom -o file
  bloomery test -q file 2
}

@test "the result is not written over a file that is there" {
  make a.bloom 1
  make b.bloom 2
  refuses bloomery merge a.bloom b.bloom -o a.bloom
  bloomery merge --force a.bloom b.bloom -o a.bloom
  bloomery test -q a.bloom 2
  bloomery merge a.bloom b.bloom -o - | bloomery test -q - 2
}
