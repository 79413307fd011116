#include "addon/task.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "core/guarded.h"

namespace framewright {
namespace {

// Shared by the task's thread and the JavaScript thread. Calls through `toJs` arrive in order, so the last
// one, which settles the promise, comes after all progress.
struct Task {
  Task(Napi::Env env, TaskRegistry& taskRegistry)
      : registry(taskRegistry),
        generation(taskRegistry.generation()),
        deferred(Napi::Promise::Deferred::New(env)) {}

  TaskRegistry& registry;
  const int generation;
  TaskRegistry::Id id;
  std::shared_ptr<CancelToken> cancel = std::make_shared<CancelToken>();
  Napi::Promise::Deferred deferred;
  Napi::ThreadSafeFunction toJs;
  bool reportsProgress = false;
  std::atomic<int64_t> done{0};
  std::atomic<bool> isProgressQueued{false};
  std::optional<Result<CommandResult>> result;
};

// False while the environment of an exiting worker thread is torn down: queued calls still arrive, but no
// JavaScript may run, and node-addon-api would abort the process.
bool canRunJs(napi_env env) {
  napi_value scratch = nullptr;
  return env != nullptr && napi_create_object(env, &scratch) == napi_ok &&
         napi_set_named_property(env, scratch, "alive", scratch) == napi_ok;
}

// Ignores exceptions and a callback that ends its thread: neither may end the render. Hence the C API.
void callProgress(napi_env env, napi_value onProgress, int64_t done) {
  napi_value receiver = nullptr, count = nullptr, ignored = nullptr;
  napi_get_undefined(env, &receiver);
  napi_create_int64(env, done, &count);
  if (napi_call_function(env, receiver, onProgress, 1, &count, &ignored) == napi_ok) return;
  bool isPending = false;
  if (napi_is_exception_pending(env, &isPending) == napi_ok && isPending)
    napi_get_and_clear_last_exception(env, &ignored);
}

void reportProgress(const std::shared_ptr<Task>& task, int64_t done) {
  task->done.store(done);
  if (!task->reportsProgress || task->isProgressQueued.exchange(true)) return;
  const auto status = task->toJs.NonBlockingCall([task](Napi::Env env, Napi::Function onProgress) {
    task->isProgressQueued.store(false);
    if (canRunJs(env)) callProgress(env, onProgress, task->done.load());
  });
  if (status != napi_ok) task->isProgressQueued.store(false);
}

Napi::Error toJsError(Napi::Env env, const Error& error) {
  Napi::Error jsError = Napi::Error::New(env, error.message);
  jsError.Value().Set("code", Napi::String::New(env, errorCodeName(error.code)));
  jsError.Value().Set("detail", Napi::String::New(env, error.detail));
  return jsError;
}

// The image's rows without padding.
Napi::Value copyPixels(Napi::Env env, const Image& image) {
  const Plane& plane = image.plane(0);
  const size_t rowBytes = static_cast<size_t>(plane.width) * 4;
  auto pixels = Napi::Buffer<uint8_t>::New(env, rowBytes * static_cast<size_t>(plane.height));
  for (int y = 0; y < plane.height; ++y) {
    std::memcpy(pixels.Data() + static_cast<size_t>(y) * rowBytes, plane.data + y * plane.stride, rowBytes);
  }
  return pixels;
}

void settle(const std::shared_ptr<Task>& task, Napi::Env env) {
  if (!canRunJs(env)) return;
  if (task->generation == task->registry.generation()) task->registry.remove(task->id);
  if (!task->result->ok()) {
    task->deferred.Reject(toJsError(env, task->result->error()).Value());
    return;
  }
  const CommandResult& result = task->result->value();
  Napi::Object value = Napi::Object::New(env);
  value.Set("json", Napi::String::New(env, result.json));
  if (result.image != nullptr) value.Set("pixels", copyPixels(env, *result.image));
  task->deferred.Resolve(value);
}

}  // namespace

Napi::Value startTask(Napi::Env env, TaskRegistry& registry, Command command, Napi::Function onProgress) {
  auto task = std::make_shared<Task>(env, registry);
  task->reportsProgress = !onProgress.IsEmpty();
  const Napi::Function callback =
      task->reportsProgress ? onProgress : Napi::Function::New(env, [](const Napi::CallbackInfo&) {});
  task->toJs = Napi::ThreadSafeFunction::New(env, callback, "framewright task", 0, 1);
  task->id = registry.add(task->cancel);
  task->id->thread = std::thread([task, command = std::move(command)] {
    const ProgressSink progress = [&task](int64_t done) { reportProgress(task, done); };
    task->result.emplace(guarded([&] { return command.run(*task->cancel, progress); }));
    Napi::ThreadSafeFunction toJs = task->toJs;
    // Fails while the addon is being unloaded, when the result is no longer needed.
    toJs.BlockingCall([task](Napi::Env callEnv, Napi::Function) { settle(task, callEnv); });
    toJs.Release();
  });

  Napi::Object handle = Napi::Object::New(env);
  handle.Set("done", task->deferred.Promise());
  handle.Set("cancel", Napi::Function::New(
                           env, [cancel = task->cancel](const Napi::CallbackInfo&) { cancel->cancel(); }));
  return handle;
}

}  // namespace framewright
