
text = fn
  "-" -> nil
  field -> Base.decode64!(field)
end

for line <- IO.stream(:stdio, :line) do
  [body, signature, timestamp, origin, secrets, now, tolerance] =
    line |> String.trim_trailing("\n") |> String.split("\t")

  known = secrets |> String.split(",") |> Enum.map(text)
  [now, tolerance] = Enum.map([now, tolerance], &String.to_integer/1)
  verdict = Deliveries.verify(text.(body), text.(signature), text.(timestamp), text.(origin), known, now, tolerance)
  IO.puts(verdict == :ok)
end
