# uniq does not lose lines if there are more of them than expected.
load helper

@test "a pipe may be longer than anybody guessed" {
  # more than the first layer holds, at a rate that shows what is lost
  printed=$(seq 12000000 | bloomery uniq -p 1e-4 | wc -l)
  echo "$printed"
  [ "$printed" -ge $((12000000 - 1200 - 6 * 35)) ] # one in 10,000, and six standard deviations
  [ "$printed" -lt 12000000 ] # some are lost: the rate is not for nothing
}

@test "more lines than -n make it grow, and that is said once" {
  seq 1000000 | bloomery uniq -n 1000 >out 2>err
  [ "$(wc -l <out)" -ge 999980 ]
  [ "$(cat err)" = "bloomery: more than 1,000 distinct lines: the filter grows, and takes more memory and time than with a larger -n" ]
}

@test "the lines that are printed are the first of their kind, in order" {
  seq 200000 | sed p >twice
  seq 200000 >once
  bloomery uniq -n 1000 -p 1e-9 <twice 2>/dev/null | cmp - once
  cat once once | bloomery uniq -n 100 -p 1e-9 2>/dev/null | cmp - once
  cat once once | bloomery uniq -v -n 100 -p 1e-9 2>/dev/null | cmp - once
}

@test "--strict and --bytes keep the filter at its size" {
  run -3 bash -c "seq 100000 | '$BLOOMERY' uniq --strict -n 1000 2>err | wc -l; exit \${PIPESTATUS[1]}"
  [ "$output" -lt 50000 ]
  grep -q 'from here on, unique lines are lost' err
  seq 100000 | bloomery uniq --bytes 1KiB -n 1000 2>err >out
  [ "$(wc -l <out)" -lt 50000 ]
  grep -q 'from here on, unique lines are lost' err
}

@test "--strict without a number of lines has nothing to exceed" {
  seq 100000 | bloomery uniq --strict >out
  [ "$(wc -l <out)" = 100000 ]
}
