load server
load mutations

@test "a million damaged filters are refused or answer, and the server goes on" {
  load_mutations
  mutate 1000000
}
