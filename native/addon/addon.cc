#include <optional>
#include <string>
#include <utility>

#include <napi.h>

#include "addon/arguments.h"
#include "addon/task.h"
#include "addon/task_registry.h"
#include "core/flat_memory.h"
#include "libav/demux/probe.h"
#include "libav/encode/video/encoder_probe.h"
#include "libav/log_capture.h"
#include "render/describe_facts.h"
#include "render/extract_sound.h"
#include "render/render.h"

namespace framewright {
namespace {

// The members of one JavaScript object, as render/describe_facts.h wants to set them.
class JsObject {
 public:
  explicit JsObject(Napi::Env env) : object_(Napi::Object::New(env)) {}

  void set(const char* name, const std::string& value) { object_.Set(name, Napi::String::New(env(), value)); }
  void set(const char* name, double value) { object_.Set(name, Napi::Number::New(env(), value)); }
  void set(const char* name, bool value) { object_.Set(name, Napi::Boolean::New(env(), value)); }
  template <typename Fill>
  void object(const char* name, const Fill& fill) {
    JsObject inner(env());
    fill(inner);
    object_.Set(name, inner.object_);
  }
  template <typename Items, typename Fill>
  void list(const char* name, const Items& items, const Fill& fillEach) {
    Napi::Array array = Napi::Array::New(env());
    for (const auto& item : items) {
      JsObject entry(env());
      fillEach(item, entry);
      array.Set(array.Length(), entry.object_);
    }
    object_.Set(name, array);
  }
  Napi::Object value() const { return object_; }

 private:
  Napi::Env env() const { return object_.Env(); }
  Napi::Object object_;
};

template <typename Facts>
Napi::Object factsToJs(Napi::Env env, const Facts& facts) {
  JsObject object(env);
  describe(facts, object);
  return object.value();
}

template <typename Facts>
ToJs later(const Facts& facts) {
  return [facts](Napi::Env env) { return factsToJs(env, facts); };
}

// Short enough for libuv's pool.
class ProbeWorker final : public Napi::AsyncWorker {
 public:
  ProbeWorker(Napi::Env env, std::string path)
      : Napi::AsyncWorker(env), path_(std::move(path)), deferred_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { facts_.emplace(probe(path_)); }
  void OnOK() override {
    if (facts_->ok()) {
      deferred_.Resolve(factsToJs(Env(), facts_->value()));
    } else {
      deferred_.Reject(toJsError(Env(), facts_->error()).Value());
    }
  }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const std::string path_;
  Napi::Promise::Deferred deferred_;
  std::optional<Result<MediaMetadata>> facts_;
};

Napi::Value throwTypeError(Napi::Env env, const char* text) {
  Napi::TypeError::New(env, text).ThrowAsJavaScriptException();
  return env.Undefined();
}

class TrialWorker final : public Napi::AsyncWorker {
 public:
  TrialWorker(Napi::Env env, std::string name)
      : Napi::AsyncWorker(env), name_(std::move(name)), deferred_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

 protected:
  void Execute() override { verdict_ = probeEncoder(name_); }
  void OnOK() override { deferred_.Resolve(factsToJs(Env(), verdict_)); }
  void OnError(const Napi::Error& error) override { deferred_.Reject(error.Value()); }

 private:
  const std::string name_;
  EncoderProbeResult verdict_;
  Napi::Promise::Deferred deferred_;
};

class Addon final : public Napi::Addon<Addon> {
 public:
  Addon(Napi::Env env, Napi::Object exports) {
    keepMemoryFlat();
    silenceLog();
    env.AddCleanupHook([](TaskRegistry* registry) { registry->cancelAll(); }, &registry_);
    DefineAddon(
        exports,
        {InstanceMethod("capabilities", &Addon::capabilities), InstanceMethod("probe", &Addon::probeFile),
         InstanceMethod("tryEncoder", &Addon::tryOneEncoder),
         InstanceMethod("renderSegment", &Addon::segment), InstanceMethod("renderAudio", &Addon::audio),
         InstanceMethod("stitch", &Addon::stitchMovie), InstanceMethod("composeFrame", &Addon::frame),
         InstanceMethod("extractSound", &Addon::sound)});
  }

 private:
  Napi::Value capabilities(const Napi::CallbackInfo& call) { return factsToJs(call.Env(), Capabilities()); }

  Napi::Value tryOneEncoder(const Napi::CallbackInfo& call) {
    if (call.Length() < 1 || !call[0].IsString())
      return throwTypeError(call.Env(), "tryEncoder(name: string)");
    auto* worker = new TrialWorker(call.Env(), call[0].As<Napi::String>());  // frees itself when done
    const Napi::Promise promise = worker->promise();
    worker->Queue();
    return promise;
  }

  Napi::Value probeFile(const Napi::CallbackInfo& call) {
    if (call.Length() < 1 || !call[0].IsString()) return throwTypeError(call.Env(), "probe(path: string)");
    auto* worker = new ProbeWorker(call.Env(), call[0].As<Napi::String>());  // frees itself when done
    const Napi::Promise promise = worker->promise();
    worker->Queue();
    return promise;
  }

  Napi::Value segment(const Napi::CallbackInfo& call) {
    const Napi::Env env = call.Env();
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 4 || !call[1].IsObject() || !call[2].IsString() || !call[3].IsFunction()) {
      return throwTypeError(env, "renderSegment(timeline, {first, end}, path, onProgress)");
    }
    const auto range = call[1].As<Napi::Object>();
    const FrameRange frames{range.Get("first").ToNumber().Int64Value(),
                            range.Get("end").ToNumber().Int64Value()};
    return startTask(
        env, registry_,
        [text = *json, frames, path = call[2].As<Napi::String>().Utf8Value()](
            const CancelToken& cancel, const ProgressSink& progress) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const SegmentFacts facts,
                              renderSegment(timeline, frames, path, progress, cancel));
          return later(facts);
        },
        call[3].As<Napi::Function>());
  }

  Napi::Value audio(const Napi::CallbackInfo& call) {
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 3 || !call[1].IsString() || !call[2].IsFunction()) {
      return throwTypeError(call.Env(), "renderAudio(timeline, path, onProgress)");
    }
    return startTask(
        call.Env(), registry_,
        [text = *json, path = call[1].As<Napi::String>().Utf8Value()](
            const CancelToken& cancel, const ProgressSink& progress) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const AudioFacts facts, renderAudio(timeline, path, progress, cancel));
          return later(facts);
        },
        call[2].As<Napi::Function>());
  }

  Napi::Value sound(const Napi::CallbackInfo& call) {
    constexpr int kLowestRate = 8000;
    constexpr int kHighestRate = 48000;
    const bool given = call.Length() >= 3 && call[0].IsString() && call[1].IsString() && call[2].IsNumber();
    const int rate = given ? call[2].As<Napi::Number>().Int32Value() : 0;
    if (rate < kLowestRate || rate > kHighestRate) {
      return throwTypeError(call.Env(), "extractSound(path, outputPath, sampleRate: 8000 to 48000)");
    }
    return startTask(
        call.Env(), registry_,
        [rate, path = call[0].As<Napi::String>().Utf8Value(),
         outputPath = call[1].As<Napi::String>().Utf8Value()](const CancelToken& cancel,
                                                              const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const AudioFacts facts, extractSound(path, outputPath, rate, cancel));
          return later(facts);
        },
        Napi::Function());
  }

  Napi::Value stitchMovie(const Napi::CallbackInfo& call) {
    const Napi::Env env = call.Env();
    StitchRequest request;
    if (call.Length() < 1 || !parseStitchRequest(call[0], request)) {
      return throwTypeError(env, "stitch({segmentPaths, audioPath?, outputPath})");
    }
    return startTask(
        env, registry_,
        [request](const CancelToken& cancel, const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const OutputFacts facts, stitch(request, cancel));
          return later(facts);
        },
        Napi::Function());
  }

  Napi::Value frame(const Napi::CallbackInfo& call) {
    const auto json = timelineText(call, 0);
    if (!json || call.Length() < 2 || !call[1].IsNumber()) {
      return throwTypeError(call.Env(), "composeFrame(timeline, frame)");
    }
    return startTask(
        call.Env(), registry_,
        [text = *json, frame = call[1].As<Napi::Number>().Int64Value()](const CancelToken& cancel,
                                                                        const ProgressSink&) -> Result<ToJs> {
          FW_ASSIGN_OR_RETURN(const Timeline timeline, parseTimeline(text));
          FW_ASSIGN_OR_RETURN(const ImagePtr image, composeFrame(timeline, frame, cancel));
          return ToJs([image](Napi::Env env) { return imageToJs(env, *image); });
        },
        Napi::Function());
  }

  TaskRegistry registry_;
};

}  // namespace
}  // namespace framewright

using FramewrightAddon = framewright::Addon;
NODE_API_NAMED_ADDON(framewright, FramewrightAddon)
