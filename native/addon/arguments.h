#pragma once

#include <optional>
#include <string>

#include <napi.h>

#include "core/image.h"
#include "render/render.h"

namespace framewright {

// The UTF-8 bytes of a Uint8Array argument, copied; nothing when it is something else.
std::optional<std::string> timelineText(const Napi::CallbackInfo& call, size_t index);

// False when the value is not {segmentPaths: string[], audioPath?: string, outputPath: string}.
bool parseStitchRequest(Napi::Value value, StitchRequest& request);

// {width, height, pixels} without row padding.
Napi::Object imageToJs(Napi::Env env, const Image& image);

}  // namespace framewright
