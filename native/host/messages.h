#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "commands/commands.h"
#include "core/result.h"

// The messages of src/engine/process/engine-messages.ts, one JSON object per line.
namespace framewright::host {

struct Request {
  int64_t id = 0;
  std::optional<Command> command;  // nothing: cancel the call with this id
};

// Fails with UNEXPECTED when the line is not a valid message.
Result<Request> parseRequest(std::string line);

inline constexpr std::string_view kReadyLine = R"({"type":"ready"})";
inline constexpr std::string_view kAliveLine = R"({"type":"alive"})";
std::string progressLine(int64_t id, int64_t done);
std::string resultLine(int64_t id, const Result<CommandResult>& result);

}  // namespace framewright::host
