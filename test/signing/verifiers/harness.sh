
# A dash stands for a header that was not sent. A dot keeps the line breaks at the end.
text() { if [[ $1 == - ]]; then printf -- '-.'; else base64 -d <<< "$1" && printf .; fi; }
# Tabs would be joined where a field is empty.
tr '\t' '\037' | while IFS=$'\037' read -r body signature timestamp origin secrets now tolerance; do
  base64 -d <<< "$body" > body
  known=()
  for each in ${secrets//,/ }; do
    each=$(text "$each")
    known+=("${each%.}")
  done
  signature=$(text "$signature") timestamp=$(text "$timestamp") origin=$(text "$origin")
  verify_delivery body "${signature%.}" "${timestamp%.}" "${origin%.}" "$now" "$tolerance" "${known[@]}" && echo true || echo false
done
