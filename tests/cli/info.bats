# info and verify.
load helper

@test "info tells what the filter is and how full" {
  bloomery create -n 1000 -p 1% --comment "a note" f.bloom
  seq 500 | bloomery add f.bloom
  run -0 bloomery info f.bloom
  [[ "${lines[0]}" == "kind      bloom, split-8x64 layout"* ]]
  [[ "$output" == *"made for  1,000 keys at a rate of 1.000 %"* ]]
  [[ "$output" == *'comment   "a note"'* ]]
  bloomery info --json f.bloom >out
  grep -q '"item_capacity": 1000' out
  grep -q '"hash": "xxh3_64"' out
  estimate=$(sed -n 's/.*"estimated_items": \([0-9]*\).*/\1/p' out)
  [ "$estimate" -gt 480 ] && [ "$estimate" -lt 520 ]
}

@test "info does not let a file repaint the terminal" {
  bloomery create -n 10 --comment $'\e[31mred\nrate now  0' f.bloom
  run -0 bloomery info f.bloom
  [[ "$output" == *'"\x1b[31mred\x0arate now  0"'* ]]
}

@test "verify finds damage and says where" {
  bloomery create -n 1M -p 1% f.bloom
  run -0 bloomery verify f.bloom
  [ "$output" = "f.bloom: ok" ]
  cp f.bloom bad.bloom
  printf X | dd of=bad.bloom bs=1 seek=200000 conv=notrunc 2>/dev/null
  refuses bloomery verify bad.bloom
  says "bad.bloom: the filter is damaged: chunk 47 of 309 (bytes 196608 to 200703 of the file)"
  for ((i = 0; i < 20; ++i)); do
    printf X | dd of=bad.bloom bs=1 seek=$((300000 + i * 4096)) conv=notrunc 2>/dev/null
  done
  refuses bloomery verify bad.bloom
  says "21 of its 309 chunks of 4096 bytes do not match their checksums: 47, 72, 73, 74, 75, 76, 77, 78, 79, 80 and 11 more"
  run -2 bloomery verify f.bloom bad.bloom
  [[ "$output" == *"f.bloom: ok"* ]]
}
