// Tells flatline's engine what its Python interface has no words for: names and prototypes of other
// functions, types, named data, and which memory is constant.
//
// The engine is a shared library that exports all of its C++ functions. This library is loaded
// before it, so that the engine's own calls of three functions come here first: the constructor of
// its symbol table, the step that reads symbols, and the one that enters a function. Each calls the
// original, and the last one enters what it was told before. No header of the engine is needed: of
// its classes, only Address and Range are looked into, and both are a space and plain numbers.

#include <dlfcn.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace ghidra {
struct Architecture;
struct Datatype;
struct DocumentStorage;
struct FunctionSymbol;
struct Symbol;

struct Address {
  void *space;
  uint64_t offset;
};

struct Range {
  void *space;
  uint64_t first, last;
};

struct Database {
  Database(Architecture *architecture, bool by_id);
};

struct SleighArchitecture {
  void buildSymbols(DocumentStorage &store);
};

struct Scope {
  FunctionSymbol *addFunction(const Address &address, const std::string &name);
};
}  // namespace ghidra

namespace {
using ghidra::Address;
using Text = std::string;

struct Function {
  uint64_t address;
  Text name, declaration;
  bool ends, inlined;
};

struct Data {
  uint64_t address;
  Text declaration;
};

void *engine = nullptr;
void *database = nullptr;
void *architecture = nullptr;
bool entered = false;
std::vector<Text> types;
std::vector<Function> functions;
std::vector<Data> data;
std::vector<ghidra::Range> constants;
Text refused;

constexpr unsigned READ_ONLY = 0x2000;  // Varnode::readonly

template <class F>
F original(const char *name) {
  return reinterpret_cast<F>(dlsym(engine, name));
}

#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

void parse(const Text &text) {
  std::istringstream stream(text);
  original<void (*)(void *, std::istream &)>("_ZN6ghidra7parse_CEPNS_12ArchitectureERSi")(
      architecture, stream);
}

// What the engine cannot parse is collected and asked for afterwards.
template <class F>
void attempt(const Text &text, F action) {
  try {
    action();
  } catch (...) {
    refused += text + "\n";
  }
}

void set_option(const char *mangled, const Text &first, const Text &second) {
  // The option objects hold nothing that these functions look at.
  using Apply = Text (*)(const void *, void *, const Text &, const Text &, const Text &);
  static const char nothing[64] = {};
  original<Apply>(mangled)(nothing, architecture, first, second, Text());
}

void *enter_function(void *scope, const Address &address, const Text &name) {
  return original<void *(*)(void *, const Address &, const Text &)>(
      "_ZN6ghidra5Scope11addFunctionERKNS_7AddressERK" STRING)(scope, address, name);
}

void describe(const Function &function) {
  if (!function.declaration.empty())
    attempt(function.declaration, [&] { parse(function.declaration); });
  if (function.ends)
    attempt(function.name, [&] {
      set_option("_ZNK6ghidra14OptionNoReturn5applyEPNS_12ArchitectureERK" STRING "SA_SA_",
                 function.name, "true");
    });
  if (function.inlined)
    attempt(function.name, [&] {
      set_option("_ZNK6ghidra12OptionInline5applyEPNS_12ArchitectureERK" STRING "SA_SA_",
                 function.name, "true");
    });
}

void enter_data(void *scope, void *space, const Data &item) {
  attempt(item.declaration, [&] {
    std::istringstream stream(item.declaration);
    Text name;
    auto *type = original<void *(*)(std::istream &, Text &, void *)>(
        "_ZN6ghidra10parse_typeERSiR" STRING "PNS_12ArchitectureE")(stream, name, architecture);
    const Address where{space, item.address}, anywhere{nullptr, 0};
    original<void *(*)(void *, const Text &, void *, const Address &, const Address &)>(
        "_ZN6ghidra5Scope9addSymbolERK" STRING "PNS_8DatatypeERKNS_7AddressESD_")(
        scope, name, type, where, anywhere);
  });
}

void enter_all(void *scope, const Address &asked) {
  for (const Text &text : types) attempt(text, [&] { parse(text); });
  for (ghidra::Range range : constants) {
    range.space = asked.space;
    original<void (*)(void *, unsigned, const ghidra::Range &)>(
        "_ZN6ghidra8Database16setPropertyRangeEjRKNS_5RangeE")(database, READ_ONLY, range);
  }
  if (!constants.empty())
    set_option("_ZNK6ghidra14OptionReadOnly5applyEPNS_12ArchitectureERK" STRING "SA_SA_", "on", "");
  for (const Data &item : data) enter_data(scope, asked.space, item);
  for (const Function &function : functions) {
    if (function.address == asked.offset) continue;
    attempt(function.name, [&] {
      enter_function(scope, Address{asked.space, function.address}, function.name);
    });
    describe(function);
  }
}
}  // namespace

ghidra::Database::Database(Architecture *of, bool by_id) {
  database = this;
  original<void (*)(void *, Architecture *, bool)>(
      "_ZN6ghidra8DatabaseC1EPNS_12ArchitectureEb")(this, of, by_id);
}

void ghidra::SleighArchitecture::buildSymbols(DocumentStorage &store) {
  architecture = this;
  entered = false;
  original<void (*)(void *, DocumentStorage &)>(
      "_ZN6ghidra18SleighArchitecture12buildSymbolsERNS_15DocumentStorageE")(this, store);
}

ghidra::FunctionSymbol *ghidra::Scope::addFunction(const Address &address, const Text &name) {
  if (entered || architecture == nullptr)
    return static_cast<FunctionSymbol *>(enter_function(this, address, name));
  entered = true;
  enter_all(this, address);
  for (const Function &function : functions)
    if (function.address == address.offset) {
      auto *symbol = enter_function(this, address, function.name);
      describe(function);
      return static_cast<FunctionSymbol *>(symbol);
    }
  return static_cast<FunctionSymbol *>(enter_function(this, address, name));
}

extern "C" {
// Opens the engine, which must be loaded already. Gives 0 when it lacks a function that is needed.
int sk2d_open(const char *path) {
  engine = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
  if (engine == nullptr) return 0;
  for (const char *name :
       {"_ZN6ghidra7parse_CEPNS_12ArchitectureERSi", "_ZN6ghidra8DatabaseC1EPNS_12ArchitectureEb",
        "_ZN6ghidra8Database16setPropertyRangeEjRKNS_5RangeE",
        "_ZN6ghidra5Scope11addFunctionERKNS_7AddressERK" STRING,
        "_ZN6ghidra5Scope9addSymbolERK" STRING "PNS_8DatatypeERKNS_7AddressESD_",
        "_ZN6ghidra10parse_typeERSiR" STRING "PNS_12ArchitectureE",
        "_ZNK6ghidra14OptionNoReturn5applyEPNS_12ArchitectureERK" STRING "SA_SA_",
        "_ZNK6ghidra14OptionReadOnly5applyEPNS_12ArchitectureERK" STRING "SA_SA_",
        "_ZNK6ghidra12OptionInline5applyEPNS_12ArchitectureERK" STRING "SA_SA_",
        "_ZN6ghidra18SleighArchitecture12buildSymbolsERNS_15DocumentStorageE"})
    if (dlsym(engine, name) == nullptr) return 0;
  return 1;
}

void sk2d_clear() {
  types.clear(), functions.clear(), data.clear(), constants.clear(), refused.clear();
}

void sk2d_type(const char *text) { types.emplace_back(text); }

void sk2d_function(uint64_t address, const char *name, const char *declaration, int ends,
                   int inlined) {
  functions.push_back({address, name, declaration, ends != 0, inlined != 0});
}

void sk2d_data(uint64_t address, const char *declaration) {
  data.push_back({address, declaration});
}

void sk2d_constant(uint64_t first, uint64_t last) { constants.push_back({nullptr, first, last}); }

// What the engine refused since the last call of sk2d_clear, one text a line.
const char *sk2d_refused() { return refused.c_str(); }
}
