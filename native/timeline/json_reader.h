#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include "timeline/timeline.h"

namespace framewright {

using Json = rapidjson::Value;

inline constexpr int64_t kMaxFrames = int64_t{1} << 40;
inline constexpr double kMaxCoordinate = 1e7;  // pixels; beyond any canvas, within exact arithmetic

// INVALID_TIMELINE at a JSON path.
Error invalidTimeline(const std::string& path, const std::string& what);

// Reads members of JSON objects and records the first error. Invalid members read as defaults, so that
// callers check error() only once, at the end.
class JsonReader {
 public:
  const std::optional<Error>& error() const { return error_; }

  void fail(const std::string& path, const std::string& what) {
    if (!error_) error_ = invalidTimeline(path, what);
  }

  const Json* member(const Json& object, const char* name) const {
    if (!object.IsObject()) return nullptr;
    const auto found = object.FindMember(name);
    return found == object.MemberEnd() ? nullptr : &found->value;
  }

  const Json* object(const Json& parent, const char* name, const std::string& path, bool required) {
    const Json* value = member(parent, name);
    if (value == nullptr && !required) return nullptr;
    if (value == nullptr || !value->IsObject()) {
      fail(path + "." + name, "must be an object");
      return nullptr;
    }
    return value;
  }

  const Json* array(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr || !value->IsArray()) {
      fail(path + "." + name, "must be an array");
      return nullptr;
    }
    return value;
  }

  int64_t integer(const Json& parent, const char* name, const std::string& path, int64_t low, int64_t high,
                  std::optional<int64_t> fallback = std::nullopt) {
    const Json* value = member(parent, name);
    if (value == nullptr && fallback) return *fallback;
    if (value == nullptr || !value->IsInt64() || value->GetInt64() < low || value->GetInt64() > high) {
      fail(path + "." + name,
           "must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return value->GetInt64();
  }

  double number(const Json& parent, const char* name, const std::string& path, double low, double high,
                std::optional<double> fallback = std::nullopt) {
    const Json* value = member(parent, name);
    if (value == nullptr && fallback) return *fallback;
    if (value == nullptr || !value->IsNumber() ||
        !(value->GetDouble() >= low && value->GetDouble() <= high)) {
      fail(path + "." + name, "must be a number from " + std::to_string(low) + " to " + std::to_string(high));
      return low;
    }
    return value->GetDouble();
  }

  std::string string(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr || !value->IsString()) {
      fail(path + "." + name, "must be a string");
      return "";
    }
    return {value->GetString(), value->GetStringLength()};
  }

  // The index in `names` of a string member; `fallback` when the member is missing.
  size_t choice(const Json& parent, const char* name, const std::string& path,
                std::span<const std::string_view> names, std::optional<size_t> fallback = std::nullopt) {
    if (member(parent, name) == nullptr && fallback) return *fallback;
    const auto found = std::find(names.begin(), names.end(), string(parent, name, path));
    if (found != names.end()) return static_cast<size_t>(found - names.begin());
    std::string list;
    for (const std::string_view known : names) list.append(list.empty() ? "" : ", ").append(known);
    fail(path + "." + name, "must be one of " + list);
    return 0;
  }

  bool boolean(const Json& parent, const char* name, const std::string& path) {
    const Json* value = member(parent, name);
    if (value == nullptr) return false;
    if (!value->IsBool()) fail(path + "." + name, "must be true or false");
    return value->IsTrue();
  }

 private:
  std::optional<Error> error_;
};

inline constexpr double kMinRectSize = 1e-6;

// Readers of composite members. `path`: JSON path of `parent`.
Color readColor(JsonReader& reader, const Json& parent, const char* name, const std::string& path);
std::optional<Rect> readRect(JsonReader& reader, const Json& parent, const char* name,
                             const std::string& path, bool required);
// A colour, or an object of the curves of premultiplied OKLab.
ColorCurve readColorCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path);
Curve readCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path,
                double fallback, double low, double high);
// A curve that must be there.
Curve requiredCurve(JsonReader& reader, const Json& parent, const char* name, const std::string& path,
                    double low, double high);
// Its members `linear` and `hdr`. `path`: of `parent` itself.
CanvasColor readCanvasColor(JsonReader& reader, const Json& parent, const std::string& path);
// `path`: of `encode` itself.
EncodeSettings readEncodeSettings(JsonReader& reader, const Json& encode, const std::string& path);
MediaRange readMedia(JsonReader& reader, const Json& parent, const std::string& path, bool required);

}  // namespace framewright
