# cmake -DOUTPUT=f.cpp -DFILES=a:b -P: a source that holds the hash of the files.
string(REPLACE ":" ";" FILES "${FILES}")
set(hashes "")
foreach(file IN LISTS FILES)
  file(SHA256 "${file}" hash)
  string(APPEND hashes "${hash} ")
endforeach()
file(WRITE "${OUTPUT}" "extern const char CausalPluginHash[];\n__attribute__((used, retain)) const char CausalPluginHash[] = \"${hashes}\";\n")
