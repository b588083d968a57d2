// Runs inside Ghidra's headless analyser: -postScript Sk2dDecompile.java REQUEST
//@category sk2d

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import ghidra.app.decompiler.DecompInterface;
import ghidra.app.decompiler.DecompileOptions;
import ghidra.app.decompiler.DecompileResults;
import ghidra.app.script.GhidraScript;
import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

public class Sk2dDecompile extends GhidraScript {
  private FileWriter output;

  @Override
  public void run() throws Exception {
    JsonObject request;
    try (FileReader reader = new FileReader(getScriptArgs()[0], StandardCharsets.UTF_8)) {
      request = JsonParser.parseReader(reader).getAsJsonObject();
    }
    int seconds = (int) Math.ceil(request.get("seconds").getAsDouble());
    DecompInterface decompiler = new DecompInterface();
    decompiler.setOptions(new DecompileOptions());
    decompiler.openProgram(currentProgram);
    output = new FileWriter(request.get("output").getAsString(), StandardCharsets.UTF_8, true);
    try {
      for (JsonElement wanted : request.getAsJsonArray("functions")) {
        decompile(decompiler, wanted.getAsJsonObject(), seconds);
      }
    } finally {
      output.close();
      decompiler.dispose();
    }
  }

  private void decompile(DecompInterface decompiler, JsonObject wanted, int seconds)
      throws IOException {
    int number = wanted.get("number").getAsInt();
    JsonObject begin = new JsonObject();
    begin.addProperty("begin", number);
    write(begin);
    JsonObject row = new JsonObject();
    JsonArray warnings = new JsonArray();
    row.addProperty("done", number);
    row.add("warnings", warnings);
    Function function = find(wanted);
    if (function == null) {
      warnings.add("Ghidra found no function there");
    } else {
      DecompileResults results = decompiler.decompileFunction(function, seconds, monitor);
      if (results.decompileCompleted()) {
        row.addProperty("pseudo", results.getDecompiledFunction().getC());
      }
      if (results.getErrorMessage() != null && !results.getErrorMessage().isBlank()) {
        warnings.add(results.getErrorMessage().strip());
      }
    }
    write(row);
  }

  // By name where the file has one (object files are laid out differently), else by distance.
  private Function find(JsonObject wanted) {
    if (!wanted.get("name").isJsonNull()) {
      List<Function> named = getGlobalFunctions(wanted.get("name").getAsString());
      if (named.size() == 1) {
        return named.get(0);
      }
    }
    Address place = currentProgram.getImageBase().add(wanted.get("offset").getAsLong());
    Function found = getFunctionAt(place);
    return found != null ? found : createFunction(place, null);
  }

  private void write(JsonObject row) throws IOException {
    output.write(new Gson().toJson(row) + "\n");
    output.flush();
  }
}
