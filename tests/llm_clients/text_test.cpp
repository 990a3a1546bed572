// Addresses, keys, proxies, redaction and UTF-8: text in, text out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "engine/core/error.hpp"
#include "llm_clients/base64.hpp"
#include "llm_clients/keys.hpp"
#include "llm_clients/proxy.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/url.hpp"
#include "llm_clients/utf8.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

using Variables = std::map<std::string, std::string>;

GetEnv environment(Variables variables) {
  return [variables = std::move(variables)](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

TEST(Url, SplitsAnAddress) {
  const auto url = parse_url("https://API.Example:8443/v1/x?y=1#z", "base_url");
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host, "api.example");
  EXPECT_EQ(url.port, 8443);
  EXPECT_EQ(url.target, "/v1/x?y=1");
  EXPECT_EQ(url.origin(), "https://api.example:8443");
  EXPECT_EQ(parse_url("http://h", "k").target, "/");
  EXPECT_EQ(parse_url("http://h", "k").host_header(), "h");
  EXPECT_EQ(parse_url("https://[::1]:9/", "k").authority(), "[::1]:9");
  EXPECT_EQ(parse_url("https://[::1]/", "k").host_header(), "[::1]");
  EXPECT_EQ(parse_url("http://h?q", "k").target, "/?q");
}

TEST(Url, NamesABadAddressWithoutItsPassword) {
  for (const char* bad : {"", "ftp://h", "http://", "http://h:0", "http://h:70000", "http://h:x",
                          "http://[::1", "http://[::1]x", "http://h /", "http://h\r\nX: y", "h/v1"})
    EXPECT_THAT([&] { parse_url(bad, "models.m.base_url"); },
                ThrowsMessage<BadInput>(HasSubstr("models.m.base_url")))
        << bad;
  EXPECT_THAT([] { parse_url("https://user:hunter2@h/", "k"); },
              ThrowsMessage<BadInput>(Not(HasSubstr("hunter2"))));
}

TEST(Url, OnlyLoopbackHostsAreLoopback) {
  for (const char* here : {"http://localhost", "http://127.0.0.1:1", "http://127.8.9.1", "http://[::1]"})
    EXPECT_TRUE(parse_url(here, "k").loopback()) << here;
  for (const char* there : {"http://127.evil.example", "http://localhost.example", "http://10.0.0.1"})
    EXPECT_FALSE(parse_url(there, "k").loopback()) << there;
}

Model model_named(const std::string& env, const std::string& file = "") {
  Model model;
  model.name = "m";
  model.api_key_env = env;
  model.api_key_file = file;
  return model;
}

TEST(Keys, ComeFromTheFileThenTheNamedVariableThenTheUsualOne) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "key") << "  sk-file\r\n";
  const auto file = (folder / "key").string();
  const Variables variables = {{"MINE", "sk-mine\n"}, {"OPENAI_API_KEY", "sk-usual"}};
  const auto env = environment(variables);
  const auto url = parse_url("https://h/", "k");
  EXPECT_EQ(read_key(model_named("MINE", file), url, env), "sk-file");
  EXPECT_EQ(read_key(model_named("MINE"), url, env), "sk-mine");
  EXPECT_EQ(read_key(model_named(""), url, env), "sk-usual");
}

TEST(Keys, AreRequiredUnlessTheServerIsPlainHttpOrLocal) {
  const auto env = environment({});
  EXPECT_EQ(read_key(model_named(""), parse_url("http://node7:8000/", "k"), env), "");
  EXPECT_EQ(read_key(model_named(""), parse_url("https://localhost/", "k"), env), "");
  EXPECT_THAT([&] { read_key(model_named("MINE"), parse_url("https://h/", "k"), env); },
              ThrowsMessage<BadInput>(AllOf(HasSubstr("MINE"), HasSubstr("models.m"))));
  EXPECT_THAT([&] { read_key(model_named("", "/nonexistent/key"), parse_url("http://h/", "k"), env); },
              ThrowsMessage<BadInput>(HasSubstr("/nonexistent/key")));
}

TEST(Keys, RefusesAKeyThatWouldBreakAHeaderWithoutShowingIt) {
  for (const char* bad : {"sk-a\r\nX-Evil: 1", "sk a", "sk-\xC3\xA4"}) {
    const Variables variables = {{"MINE", bad}};
    EXPECT_THAT([&] { read_key(model_named("MINE"), parse_url("https://h/", "k"), environment(variables)); },
                ThrowsMessage<BadInput>(AllOf(HasSubstr("MINE"), Not(HasSubstr("sk")))));
  }
  const test::ScratchFolder folder;
  std::ofstream(folder / "empty") << " \n";
  EXPECT_THROW(
      read_key(model_named("", (folder / "empty").string()), parse_url("http://h/", "k"), environment({})),
      BadInput);
}

TEST(Proxy, IsUsedForHttpsExceptWhereNoProxySays) {
  const Variables variables = {{"HTTPS_PROXY", "proxy.example:3128"},
                               {"NO_PROXY", "direct.example, .corp,Upper.Example  *.star h:8443"}};
  const auto settings = proxy_settings(environment(variables));
  const auto through = [&](const char* url) { return proxy_for(settings, parse_url(url, "k")) != nullptr; };
  EXPECT_EQ(settings.proxy->authority(), "proxy.example:3128");
  for (const char* url :
       {"https://api.example/", "https://notdirect.example/", "https://h/", "https://xcorp/"})
    EXPECT_TRUE(through(url)) << url;
  for (const char* url :
       {"http://api.example/", "https://localhost/", "https://direct.example/", "https://sub.direct.example/",
        "https://a.corp/", "https://upper.example/", "https://b.star/", "https://h:8443/"})
    EXPECT_FALSE(through(url)) << url;
  EXPECT_FALSE(proxy_settings(environment({})).proxy);
  const Variables all = {{"https_proxy", "http://p"}, {"no_proxy", "*"}};
  EXPECT_EQ(proxy_for(proxy_settings(environment(all)), parse_url("https://h/", "k")), nullptr);
}

TEST(Proxy, SendsUserAndPasswordAsAHeader) {
  const Variables variables = {{"https_proxy", "http://us%20er:p%40ss%3a@p:1/"}};
  const auto settings = proxy_settings(environment(variables));
  EXPECT_EQ(settings.authorization, "Basic dXMgZXI6cEBzczo=");
  EXPECT_EQ(
      connect_request(settings, parse_url("https://[::1]/", "k")),
      "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\nProxy-Authorization: Basic dXMgZXI6cEBzczo=\r\n\r\n");
  for (const char* bad : {"https://user:hunter2@p", "socks5://user:hunter2@p", "http://user:hunter2@p:x"}) {
    const Variables wrong = {{"HTTPS_PROXY", bad}};
    EXPECT_THAT([&] { proxy_settings(environment(wrong)); },
                ThrowsMessage<BadInput>(AllOf(HasSubstr("HTTPS_PROXY"), Not(HasSubstr("hunter2")))))
        << bad;
  }
}

TEST(Proxy, ReadsTheStatusOfItsReply) {
  EXPECT_EQ(connect_status("HTTP/1.1 200 OK\r\n\r\n"), 200);
  EXPECT_EQ(connect_status("HTTP/1.0 407 x"), 407);
  for (const char* bad : {"", "HTTP/1.1", "HTTP/1.1 2x0 ", "SSH-2.0-OpenSSH_9"})
    EXPECT_EQ(connect_status(bad), std::nullopt) << bad;
}

TEST(Redaction, RemovesKeysAndLeavesPlaceholders) {
  EXPECT_EQ(Redactor("none")("none of it"), "none of it");
  EXPECT_EQ(Redactor("")("text"), "text");
  EXPECT_EQ(Redactor("sk-12345678")("a sk-12345678, sk-12345678."), "a [api key], [api key].");
  EXPECT_EQ(Redactor("sk+12/45678")("sk%2B12%2F45678 and sk+12\\/45678"), "[api key] and [api key]");
}

TEST(Redaction, FindsBase64AtAnyAlignment) {
  const std::string key = "sk-0123/456789~abcdef";
  const Redactor redact(key);
  for (const std::string before : {"", "u", "us", "user:", "Bearer "})
    for (const std::string after : {"", "x", "xy", "xyz"}) {
      auto encoded = base64(before + key + after);
      EXPECT_THAT(redact("<" + encoded + ">"), HasSubstr("[api key]")) << before << after;
      std::ranges::replace(encoded, '+', '-');
      std::ranges::replace(encoded, '/', '_');
      EXPECT_THAT(redact("<" + encoded + ">"), HasSubstr("[api key]")) << before << after;
    }
  EXPECT_EQ(redact(base64("nothing of the kind, however long the text may be")),
            base64("nothing of the kind, however long the text may be"));
}

TEST(Redaction, ReplacesTheLongestSecretFirst) {
  Redactor redact({"Bearer sk-12345678", "sk-12345678", "short"});
  redact.add("another-token");
  EXPECT_EQ(redact("Bearer sk-12345678 sk-12345678 short another-token"),
            "[api key] [api key] short [api key]");
  EXPECT_FALSE(Redactor("").has_secrets());
}

TEST(Utf8, WhatIsValidStaysAndEveryOtherByteIsReplaced) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(valid_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(valid_utf8("a\xFF"
                       "b"),
            "a" + mark + "b");
  EXPECT_EQ(valid_utf8("\xC0\x80"), mark + mark);             // overlong
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), mark + mark + mark);  // surrogate
  EXPECT_EQ(valid_utf8("\xF4\x90\x80\x80"), mark + mark + mark + mark);
  EXPECT_EQ(valid_utf8("\xE2\x82"), mark + mark);  // cut off
}

TEST(Utf8, WhatWouldCutAMessageOffOrMoveACursorIsNotPrinted) {
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(printable("\x1B[2J\x7F"), "?[2J?");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m \xC2\xA0\xC3\xA4"),
            "?31m \xC2\xA0\xC3\xA4");
  EXPECT_EQ(printable("one\r\ntwo\t"), "one  two ");
  EXPECT_EQ(excerpt(std::string("\0\0", 2)), "??");
}

TEST(Utf8, ExcerptsAreCutBetweenCharacters) {
  EXPECT_EQ(excerpt("short\nline"), "short line");
  const std::string euros = "\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC";
  EXPECT_EQ(excerpt(euros, 9), euros);
  for (const std::size_t limit : {6, 7, 8})
    EXPECT_EQ(excerpt(euros, limit), euros.substr(0, 6) + "…") << limit;
}

}  // namespace
}  // namespace ridgeline::llm
