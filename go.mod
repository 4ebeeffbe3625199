module lamina

go 1.26
