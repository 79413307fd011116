#pragma once

#include <cmath>
#include <string>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

namespace framewright::host {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

// The members of one JSON object, as render/describe_facts.h wants to set them. Texts of libraries need not
// be UTF-8; whoever reads them replaces what is none.
class JsonObject {
 public:
  explicit JsonObject(JsonWriter& writer) : writer_(writer) { writer_.StartObject(); }
  ~JsonObject() { writer_.EndObject(); }
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  void set(const char* name, const std::string& value) {
    writer_.Key(name);
    writer_.String(value.data(), static_cast<rapidjson::SizeType>(value.size()));
  }
  void set(const char* name, double value) {
    writer_.Key(name);
    std::isfinite(value) ? writer_.Double(value) : writer_.Null();
  }
  void set(const char* name, bool value) {
    writer_.Key(name);
    writer_.Bool(value);
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
  JsonWriter& writer_;
};

// One object as text.
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

}  // namespace framewright::host
