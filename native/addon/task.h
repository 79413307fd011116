#pragma once

#include <napi.h>

#include "addon/task_registry.h"
#include "commands/commands.h"

namespace framewright {

// Runs a command on its own thread and returns its handle: {done: Promise<{json, pixels?}>, cancel()}. `done`
// rejects with an Error that has `code` and `detail`. `onProgress` may be empty; it gets the latest count,
// skips counts while JavaScript is busy and is not called after `done` has settled. JavaScript thread only.
Napi::Value startTask(Napi::Env env, TaskRegistry& registry, Command command, Napi::Function onProgress);

}  // namespace framewright
