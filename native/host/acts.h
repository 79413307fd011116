#pragma once

#include <functional>
#include <optional>
#include <string>

#include <rapidjson/document.h>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/render.h"

namespace framewright::host {

// One thing that the engine is asked for.
struct Act {
  // Gives a JSON object.
  std::function<Result<std::string>(const CancelToken& cancel, const ProgressSink& progress)> run;
  // Asked for by the dozen and soon done.
  bool isShort = false;
};

// Nothing when there is no such act, or a member of the call is missing or of another kind.
std::optional<Act> readAct(const rapidjson::Value& call);

}  // namespace framewright::host
