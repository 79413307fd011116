#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "host/acts.h"

// The lines of src/engine/process/engine-messages.ts.
namespace framewright::host {

struct Order {
  int64_t id = 0;
  std::optional<Act> act;  // none: the call with this id is to be cancelled
};

// Nothing when the line is no message.
std::optional<Order> readOrder(std::string line);

inline constexpr std::string_view kReady = R"({"type":"ready"})";
inline constexpr std::string_view kAlive = R"({"type":"alive"})";
std::string progressLine(int64_t id, int64_t done);
// `result` is an act's JSON.
std::string answerLine(int64_t id, const Result<std::string>& result);

}  // namespace framewright::host
