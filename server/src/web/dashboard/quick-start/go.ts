import { toLiteral, type Tool } from "./tool.ts";

const MODULE = "github.com/remote-browser/remote-browser-service/clients/go";

export const go: Tool = {
  id: "go",
  name: "Go client",
  needs: "Requires Go 1.25 or later. The example controls the browser with chromedp.",
  toBlocks: (url) => [
    { id: "install", title: "Install, in an empty folder", text: INSTALL },
    { id: "program", title: "main.go", text: toProgram(url) },
    { id: "run", title: "Run", text: "go run -mod=mod .\n" },
  ],
};

const INSTALL = `go mod init quickstart
go mod edit -require ${MODULE}@v0.0.0 -replace ${MODULE}=CLONE/clients/go
go mod edit -require ${MODULE}/remotechromedp@v0.0.0 -replace ${MODULE}/remotechromedp=CLONE/clients/go/remotechromedp
`;

function toProgram(url: string): string {
  return `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/chromedp/chromedp"
	remotebrowser "${MODULE}"
	"${MODULE}/remotechromedp"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := remotebrowser.NewClient(remotebrowser.WithURL(${toLiteral(url)}))
	if err != nil {
		return err
	}
	browser, err := client.Open(ctx, &remotebrowser.OpenOptions{Label: remotebrowser.Ptr("quick start")})
	if err != nil {
		return err
	}
	defer browser.Close(ctx)

	tab, leave, err := remotechromedp.NewContext(ctx, browser)
	if err != nil {
		return err
	}
	defer leave()
	if err := chromedp.Do(tab, chromedp.Navigate("https://example.com")); err != nil {
		return err
	}
	title, err := chromedp.Run(tab, chromedp.Title())
	if err != nil {
		return err
	}
	fmt.Println(title)
	return nil
}
`;
}
