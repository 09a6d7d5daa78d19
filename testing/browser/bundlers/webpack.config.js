import { resolve } from "node:path";

export default {
  mode: "production",
  entry: "./src/page.js",
  output: { path: resolve("webpack-dist"), filename: "page.js" },
  devServer: { port: 0, static: "webpack-static", hot: false, client: false },
};
