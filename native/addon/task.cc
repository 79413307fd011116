#include "addon/task.h"

#include <atomic>
#include <optional>
#include <string>

#include "addon/task_registry.h"
#include "core/guarded.h"

namespace framewright {
namespace {

// What the task's thread and the JavaScript thread share. Calls through `door` are answered in order, so the
// last one, which settles the promise, comes after all progress.
struct Running {
  Running(Napi::Env env, TaskRegistry& taskRegistry)
      : registry(taskRegistry),
        generation(taskRegistry.generation()),
        deferred(Napi::Promise::Deferred::New(env)) {}

  TaskRegistry& registry;
  const int generation;
  TaskRegistry::Id id;
  std::shared_ptr<CancelToken> cancel = std::make_shared<CancelToken>();
  Napi::Promise::Deferred deferred;
  Napi::ThreadSafeFunction door;
  bool reportsProgress = false;
  std::atomic<int64_t> done{0};
  std::atomic<bool> progressQueued{false};
  std::optional<Result<ToJs>> result;
};

// False while the environment is being torn down (a worker thread that exits): calls still arrive then, but
// no JavaScript may run, and node-addon-api would end the whole process over it.
bool canRunJs(napi_env env) {
  napi_value scratch = nullptr;
  return env != nullptr && napi_create_object(env, &scratch) == napi_ok &&
         napi_set_named_property(env, scratch, "alive", scratch) == napi_ok;
}

// An exception of the callback must not end the render, and the callback may end its thread: hence the plain
// C calls, whose failures are ignored.
void callProgress(napi_env env, napi_value onProgress, int64_t done) {
  napi_value receiver = nullptr, count = nullptr, ignored = nullptr;
  napi_get_undefined(env, &receiver);
  napi_create_int64(env, done, &count);
  if (napi_call_function(env, receiver, onProgress, 1, &count, &ignored) == napi_ok) return;
  bool pending = false;
  if (napi_is_exception_pending(env, &pending) == napi_ok && pending)
    napi_get_and_clear_last_exception(env, &ignored);
}

void reportProgress(const std::shared_ptr<Running>& running, int64_t done) {
  running->done.store(done);
  if (!running->reportsProgress || running->progressQueued.exchange(true)) return;
  const auto status = running->door.NonBlockingCall([running](Napi::Env env, Napi::Function onProgress) {
    running->progressQueued.store(false);
    if (canRunJs(env)) callProgress(env, onProgress, running->done.load());
  });
  if (status != napi_ok) running->progressQueued.store(false);
}

void settle(const std::shared_ptr<Running>& running, Napi::Env env) {
  if (!canRunJs(env)) return;
  if (running->generation == running->registry.generation()) running->registry.remove(running->id);
  Result<ToJs>& result = *running->result;
  if (result.ok()) {
    running->deferred.Resolve(result.value()(env));
  } else {
    running->deferred.Reject(toJsError(env, result.error()).Value());
  }
}

Result<ToJs> runBody(const TaskBody& body, const std::shared_ptr<Running>& running) {
  const ProgressSink progress = [&running](int64_t done) { reportProgress(running, done); };
  return guarded([&] { return body(*running->cancel, progress); });
}

}  // namespace

Napi::Error toJsError(Napi::Env env, const Error& error) {
  Napi::Error jsError = Napi::Error::New(env, error.message);
  jsError.Value().Set("code", Napi::String::New(env, errorCodeName(error.code)));
  jsError.Value().Set("detail", Napi::String::New(env, error.detail));
  return jsError;
}

Napi::Value startTask(Napi::Env env, TaskRegistry& registry, TaskBody body, Napi::Function onProgress) {
  auto running = std::make_shared<Running>(env, registry);
  running->reportsProgress = !onProgress.IsEmpty();
  const Napi::Function called =
      running->reportsProgress ? onProgress : Napi::Function::New(env, [](const Napi::CallbackInfo&) {});
  running->door = Napi::ThreadSafeFunction::New(env, called, "framewright task", 0, 1);
  running->id = registry.add(running->cancel);
  running->id->thread = std::thread([running, body = std::move(body)] {
    running->result.emplace(runBody(body, running));
    Napi::ThreadSafeFunction door = running->door;
    // Refused while the addon is being unloaded, when nobody waits any more.
    door.BlockingCall([running](Napi::Env callEnv, Napi::Function) { settle(running, callEnv); });
    door.Release();
  });

  Napi::Object handle = Napi::Object::New(env);
  handle.Set("done", running->deferred.Promise());
  handle.Set("cancel", Napi::Function::New(
                           env, [cancel = running->cancel](const Napi::CallbackInfo&) { cancel->cancel(); }));
  return handle;
}

}  // namespace framewright
