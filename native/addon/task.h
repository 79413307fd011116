#pragma once

#include <functional>
#include <memory>
#include <variant>

#include <napi.h>

#include "core/cancel_token.h"
#include "core/result.h"
#include "render/render.h"

namespace framewright {

class TaskRegistry;

// Builds a task's JavaScript value on the JavaScript thread.
using ToJs = std::function<Napi::Value(Napi::Env)>;

// Runs on a thread of its own; gives what the promise resolves with.
using TaskBody = std::function<Result<ToJs>(const CancelToken& cancel, const ProgressSink& progress)>;

// Starts `body` and returns the handle {done, cancel()}. `onProgress` may be empty; it gets the latest count,
// older ones are dropped when JavaScript is busy, and none comes after `done` settled.
Napi::Value startTask(Napi::Env env, TaskRegistry& registry, TaskBody body, Napi::Function onProgress);

// An Error with `code` and `detail`, as the engine's errors reach JavaScript.
Napi::Error toJsError(Napi::Env env, const Error& error);

}  // namespace framewright
