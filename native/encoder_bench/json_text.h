#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace framewright {

// Builds one JSON object member by member.
class JsonObject {
 public:
  JsonObject& text(const char* name, std::string_view value);
  JsonObject& number(const char* name, int64_t value);
  // Writes null if the value is not finite.
  JsonObject& number(const char* name, double value);
  JsonObject& boolean(const char* name, bool value);
  JsonObject& numbers(const char* name, const std::array<double, 3>& values);
  // `json` is inserted as it is.
  JsonObject& raw(const char* name, const std::string& json);
  std::string json() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace framewright
