#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace framewright {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

// Writes the members of one JSON object. Library messages may be invalid UTF-8 and are written as they are;
// the reader replaces invalid bytes.
class JsonObject {
 public:
  explicit JsonObject(JsonWriter& writer) : writer_(writer) { writer_.StartObject(); }
  ~JsonObject() { writer_.EndObject(); }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  void set(const char* name, std::string_view value) {
    writer_.Key(name);
    writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  // Numbers that are not finite become null.
  template <typename Value>
  requires std::is_arithmetic_v<Value>
  void set(const char* name, Value value) {
    writer_.Key(name);
    write(value);
  }
  template <typename Values>
  void values(const char* name, const Values& values) {
    writer_.Key(name);
    writer_.StartArray();
    for (const auto& value : values) write(value);
    writer_.EndArray();
  }
  // Writes nothing for an empty text.
  void setUnlessEmpty(const char* name, std::string_view value) {
    if (!value.empty()) set(name, value);
  }
  template <typename Fill>
  void object(const char* name, const Fill& fill) {
    writer_.Key(name);
    JsonObject inner(writer_);
    fill(inner);
  }
  template <typename Items, typename Fill>
  void list(const char* name, const Items& items, const Fill& fillEach) {
    writer_.Key(name);
    writer_.StartArray();
    for (const auto& item : items) {
      JsonObject entry(writer_);
      fillEach(item, entry);
    }
    writer_.EndArray();
  }

 private:
  template <typename Value>
  void write(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
      writer_.Bool(value);
    } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
      const std::string_view text = value;
      writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    } else if constexpr (std::is_integral_v<Value>) {
      writer_.Int64(value);
    } else {
      std::isfinite(value) ? writer_.Double(value) : writer_.Null();
    }
  }

  JsonWriter& writer_;
};

// The JSON text of an object that `fill` writes.
template <typename Fill>
std::string jsonText(const Fill& fill) {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  {
    JsonObject object(writer);
    fill(object);
  }
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace framewright
