#pragma once

#include <functional>
#include <string>

#include <rapidjson/document.h>

#include "core/cancel_token.h"
#include "core/image.h"
#include "core/result.h"
#include "render/render.h"

namespace framewright {

struct CommandResult {
  std::string json;  // one object
  ImagePtr image;    // of composeFrame without `pixelsPath`; kRgbaStraight
};

// One parsed engine call.
struct Command {
  // Blocks until done. Any thread.
  std::function<Result<CommandResult>(const CancelToken& cancel, const ProgressSink& progress)> run;
  // Usually takes less than 100 ms; callers send dozens at once, so a host may limit how many run in
  // parallel.
  bool isShort = false;
};

// Iterative, so that nesting cannot exhaust the stack; the caller parses in place, because timelines are
// long.
inline constexpr unsigned kJsonParseFlags =
    rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag;

// Parses an EngineCall of src/engine/process/engine-messages.ts. Fails with UNEXPECTED when the command is
// unknown or one of its members is missing or has another type.
Result<Command> parseCommand(const rapidjson::Value& call);
Result<Command> parseCommand(std::string json);

}  // namespace framewright
