#include <string>

#include <napi.h>

#include "addon/task.h"
#include "addon/task_registry.h"
#include "commands/commands.h"
#include "core/process_memory.h"
#include "libav/log_capture.h"

namespace framewright {
namespace {

class Addon final : public Napi::Addon<Addon> {
 public:
  Addon(Napi::Env env, Napi::Object exports) {
    configureMalloc();
    silenceLog();
    env.AddCleanupHook([](TaskRegistry* registry) { registry->cancelAll(); }, &registry_);
    DefineAddon(exports, {InstanceMethod("call", &Addon::call)});
  }

 private:
  Napi::Value call(const Napi::CallbackInfo& info) {
    const Napi::Env env = info.Env();
    auto command = parseCommand(info[0].IsString() ? info[0].As<Napi::String>().Utf8Value() : "");
    if (!command.ok()) {
      Napi::TypeError::New(env, command.error().message).ThrowAsJavaScriptException();
      return env.Undefined();
    }
    return startTask(env, registry_, command.take(),
                     info[1].IsFunction() ? info[1].As<Napi::Function>() : Napi::Function());
  }

  TaskRegistry registry_;
};

}  // namespace
}  // namespace framewright

using FramewrightAddon = framewright::Addon;
NODE_API_NAMED_ADDON(framewright, FramewrightAddon)
