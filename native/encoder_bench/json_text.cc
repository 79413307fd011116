#include "encoder_bench/json_text.h"

#include <cmath>
#include <cstdio>

namespace framewright {
namespace {

std::string quoted(std::string_view text) {
  constexpr unsigned char kFirstPrintable = 0x20;
  std::string json = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') json += '\\';
    // Messages of libraries are shown, not parsed: control characters become spaces.
    json += static_cast<unsigned char>(letter) < kFirstPrintable ? ' ' : letter;
  }
  return json + '"';
}

std::string digits(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

}  // namespace

JsonObject& JsonObject::raw(const char* name, const std::string& json) {
  if (!members_.empty()) members_ += ',';
  members_ += quoted(name) + ':' + json;
  return *this;
}

JsonObject& JsonObject::text(const char* name, std::string_view value) { return raw(name, quoted(value)); }
JsonObject& JsonObject::number(const char* name, int64_t value) { return raw(name, std::to_string(value)); }
JsonObject& JsonObject::number(const char* name, double value) { return raw(name, digits(value)); }
JsonObject& JsonObject::boolean(const char* name, bool value) { return raw(name, value ? "true" : "false"); }

JsonObject& JsonObject::numbers(const char* name, const std::array<double, 3>& values) {
  std::string list;
  for (const double value : values) list.append(list.empty() ? "[" : ",").append(digits(value));
  return raw(name, list.append("]"));
}

}  // namespace framewright
