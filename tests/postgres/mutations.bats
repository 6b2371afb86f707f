load server
load mutations

@test "20,000 damaged filters are refused or answer, and the server goes on" {
  load_mutations
  mutate 20000
}
