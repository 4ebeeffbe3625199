package main

func hash() {
}
